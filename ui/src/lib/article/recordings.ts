/** Groups the audio and video files of an article: one recording may have several formats. */
import type { Article, Chapter, Enclosure } from '../ipc';
import { fold } from '../fold';
import { number, t } from '../messages';
import { commas } from '../messages/format';
import { isPlayable } from './article-page';
import { enclosureSize } from './enclosure-text';

/** The files of one recording, the feed's first one first. */
export type Recording = readonly [Enclosure, ...Enclosure[]];

/** Seconds by which the lengths of two formats of one recording may differ: those for listeners often have other advertisements. */
const MAX_DIFFERENCE = 120;

/** Words in a file's name that tell its quality or format. */
const QUALITY =
  /(?:^|[-_. ])(?:\d{2,4}k(?:bps|bit)?|\d{3,4}p|[hls][dq]|low|high|mobile|audio|video|mp3|m4a|aac|ogg|opus|mp4)(?=$|[-_. ])/giu;

const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/opus/i, 'Opus'],
  [/mpegurl/i, 'HLS'],
  [/audio\/(?:mpeg|mp3|x-mp3)/i, 'MP3'],
  [/aac/i, 'AAC'],
  [/audio\/(?:mp4|x-m4a|m4a|x-m4b)/i, 'M4A'],
  [/ogg|vorbis/i, 'Ogg'],
  [/flac/i, 'FLAC'],
  [/wav/i, 'WAV'],
  [/webm/i, 'WebM'],
  [/video\/(?:mp4|x-m4v)/i, 'MP4'],
  [/quicktime/i, 'QuickTime'],
];

export const isVideo = ({ mime_type }: Enclosure): boolean => /^video\/|mpegurl/i.test(mime_type ?? '');

/** Returns the path of a file without its query: the name of its format may be its file extension. */
const fileName = ({ url }: Enclosure): string => url.split(/[?#]/)[0]?.split('/').pop() ?? '';

/** Returns the name of a file's format, such as "MP3". */
export function formatName(file: Enclosure): string {
  const type = file.mime_type ?? '';
  if (/\.opus$/i.test(fileName(file))) return 'Opus';
  return FORMATS.find(([pattern]) => pattern.test(type))?.[1] ?? (type.split(/[/;]/)[1] || type).toUpperCase();
}

/** Returns what tells a file from the others of its recording: its own name, its format and its size. */
export function formatText(file: Enclosure): string {
  const [name, video] = [file.title ?? '', t('list.video')];
  const says = isVideo(file) && !fold(name).includes(fold(video));
  const format = says ? `${video} (${formatName(file)})` : formatName(file);
  return commas([name, format, enclosureSize(file)].filter(Boolean));
}

const stem = (file: Enclosure): string =>
  fileName(file)
    .toLowerCase()
    .replace(/\.[a-z0-9]{2,5}$/u, '')
    .replace(QUALITY, '');

/** Whether two files may be the same recording, by their lengths. */
function lastAlike(one: Enclosure, other: Enclosure): boolean {
  if (!one.duration || !other.duration) return true;
  return Math.abs(one.duration - other.duration) <= MAX_DIFFERENCE;
}

type Named = { readonly file: Enclosure; readonly name: string };

/** Whether two files have the same name: the title that the feed gives them, or that of the file. */
const namedAlike = (one: Named, other: Named): boolean =>
  one.file.url === other.file.url ||
  (one.file.title !== null && one.file.title !== '' && one.file.title === other.file.title) ||
  // A number alone may be that of a part.
  (one.name === other.name && /\p{L}{2}/u.test(one.name));

/** Whether a file is another format of a recording of which nothing else is known. */
const isOtherFormat = (recording: Recording, file: Enclosure): boolean =>
  recording.every((one) => formatName(one) !== formatName(file) && !(one.title && file.title));

/**
 * Returns the recordings of these audio and video files. Files with the same name are one recording, and so are files of different
 * formats if there is no more than one file of each. Parts, songs and several videos stay apart.
 */
export function recordings(files: readonly Enclosure[]): readonly Recording[] {
  const found: { readonly first: Named; readonly files: [Enclosure, ...Enclosure[]] }[] = [];
  for (const file of files) {
    const named = { file, name: stem(file) };
    const same = found.find(({ first }) => namedAlike(first, named) && lastAlike(first.file, file));
    if (!same) found.push({ first: named, files: [file] });
    else if (!same.files.some(({ url }) => url === file.url)) same.files.push(file);
  }
  const all = found.map(({ files }) => files);
  const [first, ...others] = all;
  if (!first || !others.every((other) => other.length === 1 && lastAlike(first[0], other[0]))) return all;
  const whole: [Enclosure, ...Enclosure[]] = [...first];
  for (const [file] of others) {
    if (!isOtherFormat(whole, file)) return all;
    whole.push(file);
  }
  return [whole];
}

const known = new WeakMap<readonly Enclosure[], readonly Recording[]>();

/** Returns the recordings of an article. */
export function recordingsOf({ enclosures }: Pick<Article, 'enclosures'>): readonly Recording[] {
  const found = known.get(enclosures) ?? recordings(enclosures.filter(isPlayable));
  known.set(enclosures, found);
  return found;
}

/** Returns the article's title for a single item, or the item's own title if there are several. */
export function mediaTitle(article: Article, enclosure: Enclosure): string {
  const all = recordingsOf(article);
  if (all.length < 2) return article.title || enclosure.title || t('list.untitled');
  // Parts without titles have numbers.
  const place = all.findIndex((files) => files.some(({ url }) => url === enclosure.url)) + 1;
  return enclosure.title || `${article.title || t('list.untitled')} (${number(place)})`;
}

/** Returns the index of the chapter at a position; -1 before the first. */
export function chapterAt(chapters: readonly Chapter[], seconds: number): number {
  return chapters.findLastIndex(({ start }) => start <= seconds + 0.25);
}
