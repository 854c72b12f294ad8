/** Builds the page of an article's comments: a frame like the article's, under the same policy, without scripts. */
import type { Comment } from '../ipc';
import { escapeHtml, deferImages, pageSource, type EmptyPageOptions } from './article-page';

type CommentWords = {
  readonly title: string;
  readonly anonymous: string;
  readonly date: (ms: number) => string;
};

type CommentOptions = EmptyPageOptions & {
  readonly images: boolean;
  readonly words: CommentWords;
};

const WEB = /^https?:\/\//i;

function one(comment: Comment, options: CommentOptions, parser: DOMParser): string {
  const { words } = options;
  const body = parser.parseFromString(`<!doctype html><body>${comment.html}`, 'text/html').body;
  deferImages(body, options.images);
  // Two comments may use the same ids, and links must not lead into another comment.
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
  const { title } = options.words;
  const all = comments.map((comment) => one(comment, options, parser)).join('');
  const heading = `<h1 class="gl-hidden">${escapeHtml(title)}</h1>`;
  return pageSource(options, {
    title,
    body: `<body class="gl-comments"><main>${heading}<ol>${all}</ol></main></body>`,
  });
}
