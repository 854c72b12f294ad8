import { expect, test } from 'vitest';
import { isInoreader } from './servers';

test('Inoreader is known by its address, however it is entered', () => {
  for (const address of [
    'inoreader.com',
    ' www.inoreader.com ',
    'https://Inoreader.com/all',
    'http://jp.inoreader.com',
  ])
    expect(isInoreader(address), address).toBe(true);
  for (const address of [
    '',
    'rss.example',
    'notinoreader.com',
    'inoreader.com.example',
    'https://a.example/?inoreader.com',
    '::',
  ])
    expect(isInoreader(address), address).toBe(false);
});
