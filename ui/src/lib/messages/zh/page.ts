import type { page as english } from '../en/page';
import type { Part } from '../languages';

/** Simplified Chinese for the page of an article: pictures shown large, notes that pop up, finding, copying, reading aloud. Part of `words`. */
export const page: Part<'zh', typeof english> = {
  'key.browser_behind': '在浏览器中打开，并留在这里',
  'key.copy_titled_link': '复制带标题的链接',
  'key.copy_markdown': '复制为 Markdown',
  'key.zoom': '放大显示图片',
  'key.find': '在文章中查找',
  'key.find_next': '文章中的下一处匹配',
  'key.find_previous': '文章中的上一处匹配',
  'key.read_aloud': '朗读或停止',

  'page.box': '较宽内容，可横向滚动',
  'page.note': '注释 {sign}',
  'page.note.go': '转到注释',

  'page.zoom': '放大显示图片',
  'page.zoom.named': '放大显示：{alt}',
  'zoom.title': '图片',
  'zoom.place': '第 {place} 张图片，共 {count} 张',
  'zoom.previous': '上一张图片',
  'zoom.next': '下一张图片',
  'zoom.in': '放大',
  'zoom.out': '缩小',
  'zoom.fit': '适合窗口',
  'zoom.full': '原始大小',
  'zoom.percent': '{percent}%',
  'zoom.failed': '无法加载此图片。',
  'zoom.none': '这篇文章中没有可放大的图片',

  'find.bar': '在文章中查找',
  'find.field': '在文章中查找',
  'find.next': '下一处匹配',
  'find.previous': '上一处匹配',
  'find.close': '结束查找',
  'find.none': '未找到',
  'find.place': '第 {place} 处，共 {count} 处',
  'find.place.more': '第 {place} 处，共 {count} 处以上',

  'copy.markdown.done': '已将文章以 Markdown 复制到剪贴板',
  'copy.markdown.failed': '无法复制文章',

  'aloud.pause': '暂停',
  'aloud.resume': '继续',
  'aloud.stop': '停止',
  'aloud.bar': '朗读',
};
