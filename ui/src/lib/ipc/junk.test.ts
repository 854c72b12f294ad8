/** Every command gets arguments that no window sends, and answers with a result or a typed error. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, expect, inject, it } from 'vitest';

const CONTRACT = fileURLToPath(new URL('./generated.ts', import.meta.url));
/** Calls of each command. */
const ROUNDS = 12;

const STRINGS = [
  '',
  ' ',
  'x',
  '\0',
  'é'.repeat(100_000),
  '../../../../etc/passwd',
  '/dev/zero',
  'C:\\Windows\\win.ini',
  'javascript:alert(1)',
  'file:///etc/shadow',
  'http://127.0.0.1:1/',
  'http://[::1',
  'http://%00/',
  '"; DROP TABLE items; --',
  '(((((title:',
  '2026-02-31T25:61:00Z',
  '\u202Eabc\u2066',
  '\uFFFF\u{10FFFF}👩‍👩‍👧‍👦',
  '999999999999999999999999999',
];
const NUMBERS = [0, 1, 2, 3, -1, 0.5, 255, 256, -(2 ** 31), 2 ** 31, 2 ** 53, -(2 ** 63), 2 ** 64, 1e300];

/** Returns a generator of the same numbers, 0 to 1, in every run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Makes values from the types of the contract: mostly of the right shape, so that they get past the first check. */
class Junk {
  private readonly checker: ts.TypeChecker;
  private readonly commands: ts.Type;
  private readonly at: ts.Node;
  private readonly next = numbers(20_261_124);

  constructor() {
    const program = ts.createProgram([CONTRACT], { strict: true, noLib: false, lib: ['lib.es2023.d.ts'] });
    this.checker = program.getTypeChecker();
    const source = program.getSourceFile(CONTRACT);
    const named = source?.statements.find(
      (statement): statement is ts.TypeAliasDeclaration =>
        ts.isTypeAliasDeclaration(statement) && statement.name.text === 'Commands',
    );
    if (!named) throw new Error('the contract has no Commands');
    this.at = named;
    this.commands = this.checker.getTypeAtLocation(named.name);
  }

  names(): string[] {
    return this.commands.getProperties().map((command) => command.name);
  }

  arguments(name: string): unknown {
    const command = this.checker.getTypeOfSymbol(this.commands.getProperty(name)!);
    return this.value(this.checker.getTypeOfSymbol(command.getProperty('args')!), 0);
  }

  private pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)]!;
  }

  private value(type: ts.Type, depth: number): unknown {
    if (this.next() < 0.04) return this.wrong();
    if (type.isUnion()) return this.value(this.pick(type.types), depth);
    if (type.isLiteral()) return type.value;
    if (type.flags & ts.TypeFlags.BooleanLiteral) return this.checker.typeToString(type) === 'true';
    if (type.flags & ts.TypeFlags.Null) return null;
    if (type.flags & ts.TypeFlags.String) return this.pick(STRINGS);
    if (type.flags & ts.TypeFlags.Number) return this.pick(NUMBERS);
    const item = this.checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (item && this.checker.isArrayLikeType(type)) {
      const length = depth > 6 ? 0 : this.pick([0, 1, 2, 50]);
      return Array.from({ length }, () => this.value(item, depth + 1));
    }
    const properties = type.getProperties().map((property) => {
      const of = this.checker.getTypeOfSymbolAtLocation(property, this.at);
      return [property.name, this.value(of, depth + 1)] as const;
    });
    // A field is missing, or there is one too many.
    const kept = properties.filter(() => this.next() > 0.01);
    return Object.fromEntries(this.next() < 0.05 ? [...kept, [this.pick(STRINGS), 1]] : kept);
  }

  private wrong(): unknown {
    const nested = '['.repeat(100) + ']'.repeat(100);
    return this.pick([null, [], {}, true, 'yes', -1, ['x', { x: [] }], JSON.parse(nested)]);
  }
}

const junk = new Junk();
const names = junk.names();
const seen = { result: 0, error: 0 };
let library = '';

async function post(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${inject('devHost')}/libraries${path}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as unknown };
}

beforeAll(async () => {
  library = String((await post('', { content: 'filled' })).body);
});

// One after the other, each with its own limit of time.
it.each([...names, 'no_such_command', ''])('answers %j with a result or a typed error', async (name) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const args = names.includes(name) ? junk.arguments(name) : null;
    const what = `${name}(${JSON.stringify(args).slice(0, 300)})`;
    const { status, body } = await post(`/${library}/call/${name}`, args).catch((error: unknown) => {
      throw new Error(`${what}: ${String(error)}`);
    });
    if (status === 422) {
      expect(body, what).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/), params: expect.any(Object) });
      // No error is an internal one of Gleaner.
      expect(body, what).not.toMatchObject({ code: 'internal' });
      seen.error += 1;
    } else {
      expect(status, what).toBe(name === '' ? 404 : 200);
      seen.result += 1;
    }
  }
});

it('answers in both ways, and the library still works', async () => {
  expect(names.length).toBeGreaterThan(100);
  // Both happen often: the arguments are neither all right nor all wrong.
  expect(seen.error).toBeGreaterThan(names.length);
  expect(seen.result).toBeGreaterThan(names.length);
  expect((await post(`/${library}/call/overview`, null)).status).toBe(200);
});
