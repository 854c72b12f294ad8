import { expect, it } from 'vitest';
import { Known } from './known';

it('remembers marks as long as anything is asked, and no longer', async () => {
  const known = new Known<{ read?: boolean; starred?: boolean }>();
  const rows = [{ id: 1, read: false, starred: false }, { id: 2, read: false, starred: false }]; // prettier-ignore
  const answers: (() => void)[] = [];
  const asked = () => new Promise<void>((done) => answers.push(done));
  const page = known.during(async () => {
    await asked();
    return known.over(rows);
  });
  const mark = known.during(() => {
    known.mark(new Map([[2, { read: true }]]));
    return asked();
  });
  known.mark(new Map([[2, { starred: true }]]));
  answers[1]?.();
  await mark;
  answers[0]?.();
  expect(await page).toEqual([rows[0], { id: 2, read: true, starred: true }]);
  expect(known.over(rows)).toEqual(rows);
  // With nothing asked there is nothing that could be older.
  known.mark(new Map([[1, { read: true }]]));
  await known.during(() => Promise.resolve());
  expect(known.over(rows)).toEqual(rows);
});

it('forgets where what was asked fails', async () => {
  const known = new Known<{ read: boolean }>();
  const failing = known.during(() => {
    known.mark(new Map([[1, { read: true }]]));
    return Promise.reject(new Error('refused'));
  });
  await expect(failing).rejects.toThrow('refused');
  expect(known.over([{ id: 1, read: false }])).toEqual([{ id: 1, read: false }]);
});
