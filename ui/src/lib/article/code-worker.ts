/** The worker that computes the tokens of code blocks. */
import { codeTokens } from './code-tokens';

/** `language`: `null` if the article does not name it. */
export type CodeRequest = { readonly text: string; readonly language: string | null };

addEventListener('message', ({ data: { text, language } }: MessageEvent<CodeRequest>) =>
  postMessage(codeTokens(text, language)),
);
