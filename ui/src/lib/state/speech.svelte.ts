/** Reads articles aloud with the system's voices, if the web view has any. */
import { readable, sentences } from '../article/speech-text';
import { reading } from './article.svelte';

const engine = (): SpeechSynthesis | null => ('speechSynthesis' in globalThis ? globalThis.speechSynthesis : null);

/** A paused engine stays paused after `cancel`, and the next text would never start; hence `resume`. */
function silence(): void {
  engine()?.cancel();
  engine()?.resume();
}

class Speech {
  private voices = $state.raw<readonly SpeechSynthesisVoice[]>([]);
  /** Id of the article being read. */
  articleId = $state<number | null>(null);
  paused = $state(false);

  private run = 0;

  constructor() {
    const loadVoices = () => (this.voices = engine()?.getVoices() ?? []);
    loadVoices();
    // Voices are loaded late and may change.
    engine()?.addEventListener?.('voiceschanged', loadVoices);
  }

  /** Whether there is a voice for the article's language. */
  get possible(): boolean {
    const { article } = reading;
    return article !== null && voiceOf(this.voices, article.language ?? '') !== null;
  }

  toggle(): void {
    if (this.articleId !== null) this.stop();
    else this.begin();
  }

  pause(): void {
    if (this.articleId === null) return;
    this.paused = !this.paused;
    if (this.paused) engine()?.pause();
    else engine()?.resume();
  }

  stop(): void {
    this.run++;
    this.articleId = null;
    this.paused = false;
    silence();
  }

  private begin(): void {
    const { article } = reading;
    const speaker = engine();
    if (!article || !speaker) return;
    silence();
    const run = ++this.run;
    this.articleId = article.id;
    const parts = sentences([article.title, readable(article.html)].join('\n'), article.language);
    const language = article.language ?? '';
    const voice = voiceOf(this.voices, language);
    const next = (at: number): void => {
      if (run !== this.run) return;
      const part = parts[at];
      if (part === undefined) return this.stop();
      const words = new SpeechSynthesisUtterance(part);
      words.lang = language;
      if (voice) words.voice = voice;
      words.onend = () => next(at + 1);
      words.onerror = () => run === this.run && this.stop();
      speaker.speak(words);
    };
    next(0);
  }
}

/** Returns a voice for the exact language tag, else for the same language; any voice if the language is unknown. */
function voiceOf<V extends { lang: string; default: boolean }>(voices: readonly V[], language: string): V | null {
  if (!language) return voices.find((voice) => voice.default) ?? voices[0] ?? null;
  const tag = (text: string) => text.toLowerCase().replaceAll('_', '-');
  const wanted = tag(language);
  const spoken = voices.filter(({ lang }) => tag(lang).split('-')[0] === wanted.split('-')[0]);
  return spoken.find(({ lang }) => tag(lang) === wanted) ?? spoken.find((voice) => voice.default) ?? spoken[0] ?? null;
}

export const speech = new Speech();
