// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { OpenPart } from './open-part.svelte';

it('closes a part and focuses its button, but not another part that was opened meanwhile', async () => {
  document.body.innerHTML = '<div><button data-focus="add"></button><button data-focus="rename-3"></button></div>';
  const part = new OpenPart(() => document.querySelector('div') ?? undefined);
  const focused = () => (document.activeElement as HTMLElement).dataset['focus'];
  part.show('rename-3');
  await part.close('rename-3');
  expect([part.is('rename-3'), focused()]).toEqual([false, 'rename-3']);
  // The form of an account was cancelled, but its server responds now.
  part.show('add');
  await part.close('rename-3');
  expect([part.is('add'), focused()]).toEqual([true, 'rename-3']);
  await part.close('add');
  expect([part.is('add'), focused()]).toEqual([false, 'add']);
  part.toggle('options-3');
  part.toggle('activity-3');
  expect([part.is('options-3'), part.is('activity-3')]).toEqual([false, true]);
  part.toggle('activity-3');
  expect(part.is('activity-3')).toBe(false);
});
