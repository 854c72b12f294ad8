import type { archive as english } from '../en/archive';
import type { Part } from '../languages';

/** Simplified Chinese for what goes out of the library as an archive or as documents, and for archives that come in. Part of `words`. */
export const archive: Part<'zh', typeof english> = {
  'menu.export_everything': '导出全部…',
  'archive.done': { other: '已将 {count} 篇文章写入 {path}' },
  'archive.no_secrets': '其中不含密码、令牌和请求头。内容说明见其中的 README.txt。',
  'archive.label': '正在导出',
  'archive.progress': '正在写入第 {done} 篇文章，共 {total} 篇',
  'archive.writing': '正在写入 {file}',
  'archive.cancel': '停止导出',
  'archive.stopped': '已停止导出；没有写入任何内容',
  'archive.articles': '正在收入第 {done} 篇文章，共 {total} 篇',
  'archive.added': { other: '已添加 {count} 篇文章' },
  'archive.there': { other: '{count} 篇文章原已存在' },
  'archive.feeds_there': { other: '{count} 个订阅源原已存在' },
  'archive.marked': { other: '{count} 篇文章已恢复原有标记' },
  'archive.rules': { other: '已添加 {count} 条规则' },
  'archive.searches': { other: '已添加 {count} 个已保存的搜索' },
  'archive.pictures': { other: '已添加 {count} 张图片' },
  'archive.left_out': { other: '共略过 {count} 项' },
  'archive.access': '任何归档都不含密码、令牌和请求头：需要它们的订阅源须在“关于此订阅源”中重新填写。',

  'save.markdown': '存为 Markdown…',
  'save.html': '存为 HTML…',
  'save.epub': '存为 EPUB…',
  'save.results': '保存搜索结果',
  'save.results.markdown': '全部存为 Markdown…',
  'save.results.html': '全部存为 HTML…',
  'save.results.epub': '全部存为 EPUB…',
};
