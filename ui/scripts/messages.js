// Writes src/lib/messages/keys.generated.ts: the keys of en.json with the parameters of each, for the type of `t`.
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const MESSAGES = new URL('../src/lib/messages/', import.meta.url);

/** Returns the names between braces, sorted. A plural always has `count`. */
function parametersOf(message) {
  const text = typeof message === 'string' ? message : `${message.other}{count}`;
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();
}

/** Returns the source of the generated module. */
export function keysModule(catalogue) {
  const keys = Object.keys(catalogue);
  const parameters = keys.map((key) => {
    const names = parametersOf(catalogue[key]).map((name) => `'${name}'`);
    return `  '${key}': ${names.join(' | ') || 'never'};`;
  });
  const plurals = keys.filter((key) => typeof catalogue[key] !== 'string').map((key) => `  | '${key}'`);
  return [
    '// Generated from en.json by `npm run messages`. Do not edit.',
    '',
    '/** Each message with the names of its parameters. */',
    'export type MessageParameters = {',
    ...parameters,
    '};',
    '',
    '/** The messages with a form for each plural category. */',
    'export type PluralKey =',
    `${plurals.join('\n')};`,
    '',
  ].join('\n');
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const english = JSON.parse(readFileSync(new URL('en.json', MESSAGES), 'utf8'));
  writeFileSync(new URL('keys.generated.ts', MESSAGES), keysModule(english));
}
