import type { imports as english } from '../en/import';
import type { Part } from '../languages';

/** Simplified Chinese for what comes from other readers besides lists of feeds. Part of `words`. */
export const imports: Part<'zh', typeof english> = {
  'import.ended': '已导入 {file}',
  'import.ended.failed': '无法导入 {file}',
  'import.show': '查看',
  'import.taking': { other: '已读取 {count} 篇文章' },
  'import.articles': { other: '{count} 篇文章' },
  'import.starred': { other: '其中 {count} 篇有星标' },
  'import.known': { other: '{count} 篇文章原已存在；文本未变，并加上了它们在那边的标记。' },
  'import.unasked': { other: '另有 {count} 个订阅源随其文章一起导入。它们不会自动刷新：没有迹象表明你在关注它们。' },
};
