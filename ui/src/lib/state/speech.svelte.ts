/** Reading aloud with the system's voices, where the web view has any. */
import { readable, sentences } from '../article/aloud';
import { reading } from './article.svelte';

const engine = (): SpeechSynthesis | null => ('speechSynthesis' in globalThis ? globalThis.speechSynthesis : null);

/** What was paused stays so through `cancel`: the next text would wait for ever. */
function silence(): void {
  engine()?.cancel();
  engine()?.resume();
}

class Speech {
  private voices = $state.raw<readonly SpeechSynthesisVoice[]>([]);
  /** The article that is read, and whether it rests. */
  reads = $state<number | null>(null);
  paused = $state(false);

  private turn = 0;

  constructor() {
    const look = () => (this.voices = engine()?.getVoices() ?? []);
    look();
    // They come late, and may come and go.
    engine()?.addEventListener?.('voiceschanged', look);
  }

  /** There is a voice for the language of the article. */
  get possible(): boolean {
    const { article } = reading;
    return article !== null && voiceOf(this.voices, article.language ?? '') !== null;
  }

  toggle(): void {
    if (this.reads !== null) this.stop();
    else this.begin();
  }

  pause(): void {
    if (this.reads === null) return;
    this.paused = !this.paused;
    if (this.paused) engine()?.pause();
    else engine()?.resume();
  }

  stop(): void {
    this.turn++;
    this.reads = null;
    this.paused = false;
    silence();
  }

  private begin(): void {
    const { article } = reading;
    const speaker = engine();
    if (!article || !speaker) return;
    silence();
    const turn = ++this.turn;
    this.reads = article.id;
    const parts = sentences([article.title, readable(article.html)].join('\n'), article.language);
    const language = article.language ?? '';
    const voice = voiceOf(this.voices, language);
    const next = (at: number): void => {
      if (turn !== this.turn) return;
      const part = parts[at];
      if (part === undefined) return this.stop();
      const words = new SpeechSynthesisUtterance(part);
      words.lang = language;
      if (voice) words.voice = voice;
      words.onend = () => next(at + 1);
      words.onerror = () => turn === this.turn && this.stop();
      speaker.speak(words);
    };
    next(0);
  }
}

/** A voice of the article's language: of its very tag, else of the same language elsewhere. Any will do where the language is unknown. */
function voiceOf<V extends { lang: string; default: boolean }>(voices: readonly V[], language: string): V | null {
  if (!language) return voices.find((voice) => voice.default) ?? voices[0] ?? null;
  const tag = (text: string) => text.toLowerCase().replaceAll('_', '-');
  const wanted = tag(language);
  const spoken = voices.filter(({ lang }) => tag(lang).split('-')[0] === wanted.split('-')[0]);
  return spoken.find(({ lang }) => tag(lang) === wanted) ?? spoken.find((voice) => voice.default) ?? spoken[0] ?? null;
}

export const speech = new Speech();
