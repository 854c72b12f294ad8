import type { look as english } from '../en/look';
import type { Part } from '../languages';

/** Simplified Chinese for how articles are set. Part of `words`. */
export const look: Part<'zh', typeof english> = {
  'look.title': '文章外观',
  'look.font': '字体',
  'look.font.serif': 'Source Serif',
  'look.font.sans': 'Inter',
  'look.font.system': '系统字体',
  'look.size': '大小',
  'look.width': '行长',
  'look.width.value': { other: '{count} 个字符' },
  'look.leading': '行距',
  'look.less': '{what}：减小',
  'look.more': '{what}：增大',
  'look.hyphens': '单词断字',
  'look.hyphens.hint': '前提是文章标明了语言。',
  'look.css': '自定义样式表',
  'look.css.hint': '用于文章页面的 CSS，叠加在 Gleaner 自己的样式之上。输入后立即生效；会访问服务器的部分将被忽略。',
  'look.reset': '恢复原样',
  'look.reset.done': '文章已恢复原来的外观',
};
