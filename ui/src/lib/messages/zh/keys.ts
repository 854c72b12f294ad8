import type { keys as english } from '../en/keys';
import type { Part } from '../languages';

/** Simplified Chinese for keys, their presets, and the command palette. Part of `words`. */
export const keys: Part<'zh', typeof english> = {
  'key.first': '第一篇文章',
  'key.last': '最后一篇文章',
  'key.copy_link': '复制链接',
  'key.next_feed': '下一个订阅源',
  'key.previous_feed': '上一个订阅源',
  'key.palette': '执行或查找任何内容',

  'palette.field': '操作、订阅源、文件夹、标签…',
  'palette.offers': '可执行的操作',
  'palette.feed': '订阅源',
  'palette.folder': '文件夹',
  'palette.tag': '标签',
  'palette.search': '已保存的搜索',
  'palette.search_for': '搜索“{query}”',

  'keys.preset': '按键方案',
  'keys.preset.gleaner': 'Gleaner',
  'keys.preset.vim': 'Vim 和 newsboat',
  'keys.preset.net_news_wire': 'NetNewsWire',
  'keys.preset.reader': 'Feedly 和 Google Reader',
  'keys.preset.done': '按键现采用 {preset} 方案；自定义的更改已清除',
  'keys.reset': '撤销自定义更改',
  'keys.reset.done': '所有按键已恢复为 {preset} 方案',
  'keys.none': '无按键',
  'keys.change': '更改“{name}”的按键',
  'keys.changing': '“{name}”的按键',
  'keys.press': '按下新的按键',
  'keys.pressed': '回车键添加，退格键重来，Esc 键离开。',
  'keys.clash': '目前属于：{name}，将从那里移走。',
  'keys.remove': '移除 {keys}',
  'keys.fixed': '{keys} 始终表示“{name}”。请选择其他按键。',
  'keys.plain': '这个键用于输入文字：需要配合 Ctrl 或 Alt。',
  'keys.add': '添加',
  'keys.own': '已更改',
};
