import { expect, it } from 'vitest';
import type { Enclosure } from '../ipc';
import { setCatalogue } from '../messages/catalogue.svelte';
import en from '../messages/en.json';
import { enclosureSize, enclosureText } from './enclosure-text';

setCatalogue(en, 'en');

const of = (length: number | null) =>
  ({ url: 'https://grain.example/barley%20pie.mp3?x=1', title: null, mime_type: 'audio/mpeg', length }) as Enclosure;

it('names a file with its type and size', () => {
  expect(enclosureText(of(38_400_000))).toBe('barley pie.mp3 (audio/mpeg, 38.4 MB)');
});

it('does not take a placeholder for a size', () => {
  expect([null, 0, 1, 999].map((length) => enclosureSize(of(length)))).toEqual(['', '', '', '']);
  expect(enclosureText(of(1))).toBe('barley pie.mp3 (audio/mpeg)');
});
