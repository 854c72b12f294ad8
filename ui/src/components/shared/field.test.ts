import { render } from 'svelte/server';
import { expect, it } from 'vitest';
import Field from './Field.svelte';

const direction = (props: { value: string; inputmode?: 'url' | 'numeric'; type?: 'password' }) =>
  /<input[^>]* dir="(\w+)"/.exec(render(Field, { props: { label: 'Field', ...props } }).body)?.[1];

it('writes words in their own direction, and addresses from left to right', () => {
  expect(direction({ value: 'دفتر' })).toBe('auto');
  expect(direction({ value: '' })).toBeUndefined();
  expect(direction({ value: 'https://a.example/', inputmode: 'url' })).toBe('ltr');
  expect(direction({ value: '5', inputmode: 'numeric' })).toBeUndefined();
  expect(direction({ value: 'secret', type: 'password' })).toBeUndefined();
});
