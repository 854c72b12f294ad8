import { expect, it } from 'vitest';
import { PendingMarks } from './pending-marks';

it('remembers marks only while requests are pending', async () => {
  const known = new PendingMarks<{ read?: boolean; starred?: boolean }>();
  const rows = [{ id: 1, read: false, starred: false }, { id: 2, read: false, starred: false }]; // prettier-ignore
  const answers: (() => void)[] = [];
  const request = () => new Promise<void>((done) => answers.push(done));
  const page = known.during(async () => {
    await request();
    return known.applyTo(rows);
  });
  const mark = known.during(() => {
    known.mark(new Map([[2, { read: true }]]));
    return request();
  });
  known.mark(new Map([[2, { starred: true }]]));
  answers[1]?.();
  await mark;
  answers[0]?.();
  expect(await page).toEqual([rows[0], { id: 2, read: true, starred: true }]);
  expect(known.applyTo(rows)).toEqual(rows);
  // Without a pending request nothing can be outdated.
  known.mark(new Map([[1, { read: true }]]));
  await known.during(() => Promise.resolve());
  expect(known.applyTo(rows)).toEqual(rows);
});

it('forgets marks when a request fails', async () => {
  const known = new PendingMarks<{ read: boolean }>();
  const failing = known.during(() => {
    known.mark(new Map([[1, { read: true }]]));
    return Promise.reject(new Error('refused'));
  });
  await expect(failing).rejects.toThrow('refused');
  expect(known.applyTo([{ id: 1, read: false }])).toEqual([{ id: 1, read: false }]);
});
