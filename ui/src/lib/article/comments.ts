/** The page of an article's comments: the same kind of frame as the article's, under the same policy, without scripts. */
import type { Comment } from '../ipc';
import { styleText } from './look';
import { escapeHtml, holdPictures, policy } from './srcdoc';

export type CommentWords = {
  readonly title: string;
  readonly anonymous: string;
  readonly date: (ms: number) => string;
};

export type CommentOptions = {
  readonly origin: string;
  /** Absolute. */
  readonly stylesheet: string;
  readonly theme: string;
  readonly style: Record<string, string>;
  readonly pictures: boolean;
  readonly words: CommentWords;
};

const WEB = /^https?:\/\//i;

function one(comment: Comment, options: CommentOptions, parser: DOMParser): string {
  const { words } = options;
  const body = parser.parseFromString(`<!doctype html><body>${comment.html}`, 'text/html').body;
  holdPictures(body, options.pictures);
  // Two comments may name their parts alike, and none may lead to another's.
  for (const named of body.querySelectorAll('[id]')) named.removeAttribute('id');
  const date = comment.at === null ? '' : words.date(comment.at);
  const url = comment.url && WEB.test(comment.url) ? comment.url : null;
  const when = url
    ? `<a href="${escapeHtml(url)}" rel="noreferrer noopener">${escapeHtml(date || url)}</a>`
    : escapeHtml(date);
  return [
    '<li class="gl-comment">',
    `<p class="gl-comment-head"><bdi class="gl-comment-by">${escapeHtml(comment.author || words.anonymous)}</bdi> ${when}</p>`,
    `<div class="gl-body" dir="auto">${body.innerHTML.trim()}</div>`,
    '</li>',
  ].join('');
}

export function commentsDocument(
  comments: readonly Comment[],
  options: CommentOptions,
  parser: DOMParser = new DOMParser(),
): string {
  const title = escapeHtml(options.words.title);
  return [
    `<!doctype html><html data-theme="${options.theme}" style="${escapeHtml(styleText(options.style))}">`,
    `<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy(options.origin, options.pictures))}">`,
    '<meta name="referrer" content="no-referrer"><base target="_blank">',
    `<link rel="stylesheet" href="${escapeHtml(options.stylesheet)}"><title>${title}</title></head><body class="gl-comments">`,
    `<main><h1 class="gl-hidden">${title}</h1><ol>${comments.map((comment) => one(comment, options, parser)).join('')}</ol></main>`,
    '</body></html>',
  ].join('');
}
