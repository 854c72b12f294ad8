import type { list as english } from '../en/list';
import type { Part } from '../languages';

/** Simplified Chinese for the list of articles: its orders, its headers, how it is drawn, and many chosen at once. Part of `words`. */
export const list: Part<'zh', typeof english> = {
  'list.view': '列表显示方式',
  'list.order.newest': '最新的在前',
  'list.order.oldest': '最旧的在前',
  'list.order.by_feed': '按订阅源排列',
  'list.order.rare_first': '发布少的订阅源在前',
  'list.order.longest': '最长的在前',
  'list.order.shortest': '最短的在前',
  'list.group.none': '不分组',
  'list.group.day': '按日期分组',
  'list.group.feed': '按订阅源分组',
  'list.river': '信息流：保持位置，不计数',
  'list.updated': '到达后有修改',

  'layout.panes': '三栏',
  'layout.magazine': '杂志',
  'layout.compact': '每篇一行',
  'layout.zen': '专注阅读',
  'layout.zen.leave': '退出专注阅读',

  'pick.bar': '所选文章',
  'pick.count': { other: '已选 {count} 篇' },
  'pick.act': '{what}（{count}）',
  'pick.tags': { other: '{count} 篇文章的标签' },
  'pick.read': '标为已读',
  'pick.unread': '标为未读',
  'pick.star': '加星标',
  'pick.unstar': '移除星标',
  'pick.hide': '隐藏',
  'pick.unhide': '在列表中重新显示',
  'pick.links': '复制链接',
  'pick.save': '保存为一份文档',
  'pick.none': '取消选择',
  'pick.hid': { other: '已隐藏 {count} 篇文章' },
  'pick.unhid': { other: '{count} 篇文章已回到列表' },
  'pick.copied': { other: '已复制 {count} 个链接' },
  'pick.no_links': '这些文章都没有给出地址。',

  'key.pick': '选择文章或取消选择',
  'key.pick_all': '选择所有文章或全部取消',
  'key.new_ones': '显示新文章',
  'key.list_layout': '切换列表显示方式',
  'key.zen': '专注阅读或返回列表',

  'settings.thumbnails': '在列表中显示缩略图',
  'settings.thumbnails.hint': '网络上的图片仅在允许从网络加载图片时显示；已保存的始终显示。',
  'settings.read_on_scroll': '滚动经过的文章标为已读',
  'settings.read_on_scroll.hint': '仅限手动滚动经过的文章。可用“撤销”还原。',
};
