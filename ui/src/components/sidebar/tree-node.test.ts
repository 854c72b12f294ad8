import { render } from 'svelte/server';
import { afterEach, expect, it } from 'vitest';
import { setCatalogue } from '../../lib/messages/catalogue.svelte';
import ar from '../../lib/messages/ar.json';
import en from '../../lib/messages/en.json';
import type { Node } from './nodes';
import TreeNode from './TreeNode.svelte';

afterEach(() => setCatalogue(en, 'en'));

const node: Node = {
  kind: 'smart',
  key: 'unread',
  label: 'Unread',
  smart: 'unread',
  source: { kind: 'unread' },
  count: 3,
  badge: '3',
  countText: '3 unread',
};
const name = () =>
  /aria-label="([^"]*)"/.exec(
    render(TreeNode, { props: { node, stop: false, chosen: false, own: 1, firstLevel: 1 } }).body,
  )?.[1];

it('is named by its parts, with the comma of the language', () => {
  expect(name()).toBe('Unread, 3 unread');
  setCatalogue(ar, 'ar');
  expect(name()).toBe('Unread، 3 unread');
});
