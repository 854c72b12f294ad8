/** Returns an address without the scheme of feed readers, as the core requests it: `feed://` means http. */
export function withoutFeedScheme(address: string): string {
  const [, slashes = '', rest = ''] =
    /^(?:feed|rss|itpc|pcast|podcast|web\+feed):(\/*)(.*)$/is.exec(address.trim()) ?? [];
  if (rest === '' || /^https?:/i.test(rest)) return rest || address;
  return slashes.startsWith('//') ? `http://${rest}` : rest;
}
