// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { linkTimes } from './timestamps';
import { parsePageAction } from './page-actions';

/** Returns the texts of the links and the seconds that they lead to. */
function times(html: string, length: number | null = null): [string | null, number | undefined][] {
  const body = document.createElement('main');
  body.innerHTML = html;
  const text = body.textContent;
  linkTimes(body, 'own', length);
  expect(body.textContent).toBe(text);
  return [...body.querySelectorAll('a[href^="gleaner-act:"]')].map((link) => [
    link.textContent,
    parsePageAction(link.getAttribute('href') ?? '', 'own')?.number,
  ]);
}

describe('times in the notes of an episode', () => {
  it('lead to their place', () => {
    expect(times('<p>00:00 Intro<br>(12:34) Guest, [1:02:03] – 90:00. Ends 01:59:59.</p>')).toEqual([
      ['00:00', 0],
      ['12:34', 754],
      ['1:02:03', 3723],
      ['90:00', 5400],
      ['01:59:59', 7199],
    ]);
    expect(times('第1章12:34').length).toBe(0);
    expect(times('【12:34】はじめに、13:00から')).toEqual([['12:34', 754]]);
  });

  it('are no dates, ratios, addresses, versions or times of day', () => {
    const html =
      '2026-11-25T12:34:56 12:34:56:78 1:99 12:3 10:30 am 10:30PM 9:15 Uhr 18:00 UTC 12:00 CET v1:20 http://a.example:80:10/ 1:20.5';
    expect(times(html)).toEqual([]);
  });

  it('are no lengths of the episode', () => {
    expect(times('<p>Dauer: 1:36:29</p><p>Duration 36:29</p><p>(Length: 59:59)</p><p>長さ：1:02:03</p>')).toEqual([]);
    expect(times('<p>Whole show 1:36:29 or 1:36:28, and 1:36:20</p>', 5789)).toEqual([['1:36:20', 5780]]);
    expect(times('Wavelength 0:30, lengthy 1:00')).toHaveLength(2);
  });

  it('are no times on a day of the week', () => {
    const html = [
      'Meet at 12:30 on Sunday.',
      'Sundays at 12:30',
      'Sonntag um 12:30',
      'Am Montag, 12:30',
      '12:30 am Mittwoch',
      'jeudi 12:30',
      'el 12:30, lunes',
    ];
    for (const text of html) expect(times(`<p>${text}</p>`), text).toEqual([]);
    expect(times('At 12:30 we talk about Sunday. 13:00 Sundaes 14:00 Sunday roast')).toEqual([
      ['12:30', 750],
      ['13:00', 780],
      ['14:00', 840],
    ]);
  });

  it('stay text in links and code, and after the end of the episode', () => {
    expect(times('<a href="https://a.example">1:00</a> <code>2:00</code> 3:00 59:00', 600)).toEqual([['3:00', 180]]);
  });

  it('are found in time linear in the text', () => {
    expect(times('12:34 '.repeat(3_000))).toHaveLength(3_000);
    expect(times('1:'.repeat(100_000))).toEqual([]);
  });
});
