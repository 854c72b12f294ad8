import { expect, test } from 'vitest';
import { isInoreader, mayLackTls } from './servers';

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

test('A server may lack TLS if no scheme was entered', () => {
  expect(mayLackTls('not_tls', 'rss.example:8080')).toBe(true);
  expect(mayLackTls('connection_refused', 'rss.example')).toBe(true);
  expect(mayLackTls('not_tls', 'https://rss.example')).toBe(false);
  expect(mayLackTls('server_login', 'rss.example')).toBe(false);
});
