import { expect, test } from 'vitest';
import type { ErrorCode } from './ipc';
import { isInoreader, isSameServer, withoutTls } from './servers';

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
  const advice = (code: ErrorCode, address: string) => withoutTls({ code, params: {} }, address)?.advice;
  expect(advice('not_tls', 'rss.example:8080')).toContain('http://rss.example:8080');
  expect(advice('connection_refused', 'rss.example')).toContain('http://rss.example');
  expect(advice('not_tls', 'https://rss.example')).toBeUndefined();
  expect(advice('server_login', 'rss.example')).toBeUndefined();
});

test('secrets are for one server only, with or without the scheme in its address', () => {
  const address = 'https://bag.example/api';
  for (const same of ['bag.example', ' https://bag.example:443/other ', 'https://BAG.example'])
    expect(isSameServer(address, same), same).toBe(true);
  for (const other of ['http://bag.example', 'bag.example:8443', 'other.example', '', 'https://'])
    expect(isSameServer(address, other), other).toBe(false);
});
