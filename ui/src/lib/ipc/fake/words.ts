/** Material for the in-memory library: names, sentences and pictures that need no network. */
export const SUBJECTS: { name: string; parent?: string; feeds: [title: string, host: string][] }[] = [
  {
    name: 'Engineering',
    feeds: [
      ['Ferrous Notes', 'ferrous.example'],
      ['Kernel Weekly', 'kernelweekly.example'],
      ['Threshold Review', 'threshold.example'],
      ['High Tide Systems', 'hightide.example'],
    ],
  },
  {
    name: 'Databases',
    parent: 'Engineering',
    feeds: [
      ['The B-Tree', 'btree.example'],
      ['Write-Ahead', 'writeahead.example'],
    ],
  },
  { name: 'Storage engines', parent: 'Databases', feeds: [['Log-Structured Letters', 'lsm.example']] },
  {
    name: 'Design',
    feeds: [
      ['Type & Paper', 'typepaper.example'],
      ['Grid Notes', 'gridnotes.example'],
      ['The Colour Almanac', 'colour.example'],
    ],
  },
  {
    name: 'News',
    feeds: [
      ['The Morning Ledger', 'ledger.example'],
      ['Harbour Post', 'harbour.example'],
      ['Nachrichten aus dem Norden', 'norden.example'],
      ['Le Petit Matin', 'matin.example'],
    ],
  },
  {
    name: 'Science',
    feeds: [
      ['Deep Field', 'deepfield.example'],
      ['Tidal Pools', 'tidal.example'],
      ['Moss & Lichen', 'moss.example'],
    ],
  },
  {
    name: 'Podcasts',
    feeds: [
      ['Ninety Degrees', 'ninety.example'],
      ['In Their Own Time', 'owntime.example'],
    ],
  },
  {
    name: 'Comics',
    feeds: [
      ['Small Panels', 'panels.example'],
      ['A Feed With a Name So Long That No Sidebar in the World Could Ever Hold It', 'long.example'],
    ],
  },
  {
    name: '',
    feeds: [
      ['Mark’s Pilgrimage', 'pilgrimage.example'],
      ['Script & News', 'script.example'],
      ['Gardening, Slowly', 'slowgarden.example'],
      ['يوميات القراءة', 'yawmiyat.example'],
      ['静かな机', 'tsukue.example'],
    ],
  },
];

export const TITLES = [
  'Announcing Ferrous 1.95.0',
  'A & B, 1 < 2: what twenty years of feed titles taught us',
  'Page-cache write-back, revisited',
  'The house on the hill',
  'Why the validator matters more than your interval',
  'Advanced lists, and how to tame them',
  'Undelete, from the archive',
  'What the reapers left: an essay on gathering',
  'A small theory of margins',
  'How to read a tide table',
  'Counting things that do not want to be counted, and other problems that a census has with people who move while it is being taken',
  'Notes from a night train',
  'On the colour of old paper',
  'Every lock is a queue',
  'Bread',
  'The quiet end of a long release cycle',
  'Three ways to be wrong about caching',
  'Letters to a young maintainer',
  'Lichen is two things pretending to be one',
  'A map of all the wells in the valley',
];

export const SENTENCES = [
  'Each developer made slightly different decisions about the meaning of each element, and readers were left to deal with the mess.',
  'The rule that works is small: decode once, look for what could only be markup, and never decode again without proof.',
  'A conditional request that is answered “not modified” costs a publisher less than a favicon.',
  'The last development cycle brought a new take on an old problem: when should dirty pages be written back to disk?',
  'Some architects believed that a building should grow the way a tree does, from the inside and without haste.',
  'It rained for three days, and on the fourth the path to the station had become a stream.',
  'We measured it twice, because the first result was too good, and the second was better.',
  'Nobody had asked for the feature, which is why it took eleven years to remove it.',
  'The archive holds four thousand of these cases, and the rule holds for all but eleven.',
  'There is a kind of attention that only comes when nothing blinks.',
];

const SVG = (width: number, height: number, body: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`)}`;

export function picture(seed: number, width = 960, height = 420): string {
  const hue = (seed * 47) % 360;
  const bands = Array.from({ length: 7 }, (_, i) => {
    const y = (height / 7) * i;
    return `<rect y="${y}" width="${width}" height="${height / 7 + 1}" fill="hsl(${(hue + i * 9) % 360} 38% ${78 - i * 7}%)"/>`;
  }).join('');
  return SVG(
    width,
    height,
    `${bands}<circle cx="${width * 0.72}" cy="${height * 0.32}" r="${height * 0.14}" fill="hsl(${hue} 60% 92%)"/>`,
  );
}

export const icon = (seed: number): string =>
  SVG(
    32,
    32,
    `<rect width="32" height="32" rx="7" fill="hsl(${(seed * 83) % 360} 55% 42%)"/><circle cx="16" cy="16" r="7" fill="none" stroke="white" stroke-width="4"/>`,
  );
