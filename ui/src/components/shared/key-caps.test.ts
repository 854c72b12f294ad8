import { render } from 'svelte/server';
import { expect, it } from 'vitest';
import KeyCaps from './KeyCaps.svelte';

it('has its keys from left to right in every language', () => {
  const { body } = render(KeyCaps, { props: { chord: 'Shift+A' } });
  expect(body).toMatch(/<span[^>]* dir="ltr"[^>]*>.*Shift.*A.*<\/span>/s);
});
