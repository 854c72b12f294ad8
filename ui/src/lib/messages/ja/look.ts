import type { look as english } from '../en/look';
import type { Part } from '../languages';

/** Japanese for how articles are set. Part of `words`. */
export const look: Part<'ja', typeof english> = {
  'look.title': '記事の見た目',
  'look.font': 'フォント',
  'look.font.serif': 'Source Serif',
  'look.font.sans': 'Inter',
  'look.font.system': 'システムのフォント',
  'look.size': '大きさ',
  'look.width': '行の長さ',
  'look.width.value': { other: '{count} 文字' },
  'look.leading': '行間',
  'look.less': '{what}を減らす',
  'look.more': '{what}を増やす',
  'look.hyphens': '単語を行末で分割する',
  'look.hyphens.hint': '記事の言語が分かる場合に限ります。',
  'look.css': '独自のスタイルシート',
  'look.css.hint':
    '記事のページに Gleaner のスタイルへ重ねて使う CSS です。入力はすぐに反映され、サーバーへ問い合わせるものは無視されます。',
  'look.reset': 'すべて元の見た目に',
  'look.reset.done': '記事の見た目を元に戻しました',
};
