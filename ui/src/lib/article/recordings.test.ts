import { describe, expect, it } from 'vitest';
import type { Enclosure } from '../ipc';
import { formatName, formatText, recordings, recordingsOf } from './recordings';

const file = (name: string, mime_type = 'audio/mpeg', part: Partial<Enclosure> = {}): Enclosure => ({
  url: `https://a.example/${name}`,
  mime_type,
  length: null,
  duration: null,
  title: null,
  ...part,
});
const names = (files: readonly Enclosure[]) =>
  recordings(files).map((recording) => recording.map(({ url }) => url.replace('https://a.example/', '')).join(' '));

describe('recordings', () => {
  it('have several formats', () => {
    const [mp3, m4a, opus] = [file('7.mp3'), file('x/9.m4a', 'audio/mp4'), file('7.opus?a=1', 'audio/ogg')];
    const video = file('v/seven.mp4', 'video/mp4', { title: 'Video', duration: 3600 });
    expect(names([mp3, m4a, opus, video])).toEqual(['7.mp3 x/9.m4a 7.opus?a=1 v/seven.mp4']);
    expect(names([])).toEqual([]);
    expect(names([mp3])).toEqual(['7.mp3']);
  });

  it('have several qualities of one format', () => {
    const files = ['harbour-64k.mp3', 'harbour.mp3', 'low/harbour_hq.mp3'].map((name) => file(name));
    expect(names(files)).toEqual(['harbour-64k.mp3 harbour.mp3 low/harbour_hq.mp3']);
    const titled = [file('1.mp3', 'audio/mpeg', { title: 'Talk' }), file('2.mp3', 'audio/mpeg', { title: 'Talk' })];
    expect(names(titled)).toEqual(['1.mp3 2.mp3']);
  });

  it('are parts, songs and videos of their own', () => {
    expect(names([file('part1.mp3'), file('part2.mp3')])).toEqual(['part1.mp3', 'part2.mp3']);
    expect(names([file('01.mp3'), file('02.mp3'), file('x.mp4', 'video/mp4')])).toHaveLength(3);
    const titled = (name: string, type: string, title: string) => file(name, type, { title });
    expect(names([titled('a.mp3', 'audio/mpeg', 'Interview'), titled('b.mp4', 'video/mp4', 'Trailer')])).toHaveLength(
      2,
    );
    const talk = file('talk.mp3', 'audio/mpeg', { duration: 3600 });
    expect(names([talk, file('trailer.mp4', 'video/mp4', { duration: 90 })])).toHaveLength(2);
    const parts = ['part-one.mp3', 'part-two.mp3'].map((name) => file(name));
    const others = ['part-one.ogg', 'part-two.ogg'].map((name) => file(name, 'audio/ogg'));
    expect(names([...parts, ...others])).toEqual(['part-one.mp3 part-one.ogg', 'part-two.mp3 part-two.ogg']);
  });

  it('are listed once, however many files there are', () => {
    expect(names([file('1.mp3'), file('1.mp3')])).toEqual(['1.mp3']);
    const many = Array.from({ length: 500 }, (_, i) => file(`${'song-'.repeat(40)}${i}.mp3`));
    const article = { enclosures: many };
    expect(recordingsOf(article)).toHaveLength(500);
    expect(recordingsOf(article)).toBe(recordingsOf(article));
  });

  it('name their formats', () => {
    const types = ['audio/mpeg', 'audio/x-m4a', 'audio/ogg; codecs=opus', 'audio/ogg', 'video/mp4', 'audio/x-odd'];
    expect(types.map((type) => formatName(file('a', type)))).toEqual(['MP3', 'M4A', 'Opus', 'Ogg', 'MP4', 'X-ODD']);
    expect(formatText(file('a.opus', 'audio/ogg', { length: 12_000_000 }))).toBe('Opus, 12 MB');
    expect(formatText(file('a.mp4', 'video/mp4', { title: 'With slides' }))).toBe('With slides, Video (MP4)');
    expect(formatText(file('a.mp4', 'video/mp4', { title: 'Video' }))).toBe('Video, MP4');
  });
});
