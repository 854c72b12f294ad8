import type { look as english } from '../en/look';
import type { Part } from '../languages';

/** German for how articles are set. Part of `words`. */
export const look: Part<'de', typeof english> = {
  'look.title': 'Wie Artikel aussehen',
  'look.font': 'Schrift',
  'look.font.serif': 'Source Serif',
  'look.font.sans': 'Inter',
  'look.font.system': 'Die des Systems',
  'look.size': 'Größe',
  'look.width': 'Zeilenlänge',
  'look.width.value': { one: '{count} Zeichen', other: '{count} Zeichen' },
  'look.leading': 'Zeilenabstand',
  'look.less': '{what}: weniger',
  'look.more': '{what}: mehr',
  'look.hyphens': 'Silbentrennung',
  'look.hyphens.hint': 'Wo ein Artikel sagt, in welcher Sprache er ist.',
  'look.css': 'Eigenes Stylesheet',
  'look.css.hint':
    'CSS für die Seiten der Artikel, zusätzlich zu dem von Gleaner. Was hier steht, zeigt sich sofort; was einen Server fragen würde, wird ausgelassen.',
  'look.reset': 'Alles wie vorgesehen',
  'look.reset.done': 'Artikel sehen wieder aus wie vorgesehen',
};
