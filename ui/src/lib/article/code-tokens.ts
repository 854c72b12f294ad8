/** Finds the tokens of code in 35 common languages. Runs in a worker; see `code-worker.ts`. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import elixir from 'highlight.js/lib/languages/elixir';
import go from 'highlight.js/lib/languages/go';
import haskell from 'highlight.js/lib/languages/haskell';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import nix from 'highlight.js/lib/languages/nix';
import objectivec from 'highlight.js/lib/languages/objectivec';
import perl from 'highlight.js/lib/languages/perl';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import r from 'highlight.js/lib/languages/r';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scala from 'highlight.js/lib/languages/scala';
import scss from 'highlight.js/lib/languages/scss';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

// prettier-ignore
const LANGUAGES = {
  bash, c, cpp, csharp, css, diff, dockerfile, elixir, go, haskell, ini, java, javascript, json, kotlin, lua, makefile, markdown, nix,
  objectivec, perl, php, powershell, python, r, ruby, rust, scala, scss, shell, sql, swift, typescript, xml, yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Languages that are recognised without a name. The others are rare or resemble plain text. */
// prettier-ignore
const GUESSED = ['bash', 'c', 'cpp', 'csharp', 'css', 'diff', 'go', 'java', 'javascript', 'json', 'php', 'python', 'ruby', 'rust', 'sql',
  'typescript', 'xml'];
/** The language of longer code (in characters) is not guessed: trying a language takes as long as highlighting in it. */
const MAX_GUESSED = 4000;
/** Minimum relevance, as computed by highlight.js, to recognise a language. */
const MIN_RELEVANCE = 4;
/** Maximum number of characters per sign that is common in code only: prose contains the keywords of many languages. */
const MAX_PER_SIGN = 25;
const SIGNS = /[{}()[\]<>;=]/g;

/** Kinds of tokens; each is a class in `article.css`. */
type CodeKind = 'comment' | 'keyword' | 'string' | 'number' | 'name' | 'type' | 'attribute' | 'addition' | 'deletion';
/** Tokens in order of the text, without overlaps. */
export type CodeTokens = readonly (readonly [start: number, end: number, kind: CodeKind])[];

/** Kinds by class of highlight.js, most of which have the prefix `hljs-`. */
const KINDS: Readonly<Record<string, CodeKind | null>> = {
  addition: 'addition',
  attr: 'attribute',
  attribute: 'attribute',
  built_in: 'type',
  bullet: 'keyword',
  class_: 'type',
  comment: 'comment',
  deletion: 'deletion',
  doctag: 'comment',
  function_: 'name',
  keyword: 'keyword',
  link: 'string',
  literal: 'number',
  meta: 'attribute',
  name: 'keyword',
  number: 'number',
  property: 'attribute',
  quote: 'comment',
  regexp: 'string',
  section: 'name',
  'selector-attr': 'attribute',
  'selector-class': 'type',
  'selector-id': 'type',
  'selector-pseudo': 'attribute',
  'selector-tag': 'keyword',
  string: 'string',
  // Code within a string.
  subst: null,
  symbol: 'number',
  tag: null,
  'template-tag': 'keyword',
  'template-variable': 'attribute',
  title: 'name',
  type: 'type',
  variable: 'attribute',
};
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** The parts of the HTML that highlight.js writes. */
const PARTS = /<span class="([^"]*)">|<\/span>|&(amp|lt|gt|quot|#x27);|[^<&]+/g;

function kindOf(classes: string, around: CodeKind | null): CodeKind | null {
  let kind: CodeKind | null | undefined;
  for (const name of classes.split(' ')) {
    const known = KINDS[name.replace(/^hljs-/, '')];
    if (known !== undefined) kind = known;
  }
  return kind === undefined ? around : kind;
}

/** Reads the tokens from the HTML of highlight.js, whose text is the code. */
function readTokens(html: string): CodeTokens {
  const tokens: [number, number, CodeKind][] = [];
  const open: (CodeKind | null)[] = [];
  let at = 0;
  for (const [part, classes, entity] of html.matchAll(PARTS)) {
    if (classes !== undefined) open.push(kindOf(classes, open.at(-1) ?? null));
    else if (part === '</span>') open.pop();
    else {
      const end = at + (entity === undefined ? part : (ENTITIES[entity] ?? part)).length;
      const kind = open.at(-1) ?? null;
      const last = tokens.at(-1);
      if (kind !== null && last?.[1] === at && last[2] === kind) last[1] = end;
      else if (kind !== null) tokens.push([at, end, kind]);
      at = end;
    }
  }
  return tokens;
}

/** Returns the tokens of a code in a language, or in a recognised one if `language` is `null`. */
export function codeTokens(text: string, language: string | null): CodeTokens {
  if (language !== null) {
    if (!hljs.getLanguage(language)) return [];
    return readTokens(hljs.highlight(text, { language, ignoreIllegals: true }).value);
  }
  const signs = text.match(SIGNS)?.length ?? 0;
  if (text.length > MAX_GUESSED || text.length > signs * MAX_PER_SIGN) return [];
  const guess = hljs.highlightAuto(text, GUESSED);
  return guess.relevance >= MIN_RELEVANCE ? readTokens(guess.value) : [];
}
