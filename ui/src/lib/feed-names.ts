/** Distinguishes feeds with the same title. */

type Named = { readonly title: string; readonly url: string };

/** Returns the titles that several feeds have. */
export function sharedTitles(feeds: readonly Named[]): ReadonlySet<string> {
  const [seen, shared] = [new Set<string>(), new Set<string>()];
  for (const { title } of feeds) (seen.has(title) ? shared : seen).add(title);
  return shared;
}

/** Returns the title of a feed. A feed without a title is named after its host: if several are, returns its address without the scheme. */
export function distinctTitle({ title, url }: Named, shared: ReadonlySet<string>): string {
  if (!shared.has(title) || !URL.canParse(url)) return title;
  const { hostname, host, pathname, search } = new URL(url);
  return title === hostname ? `${host}${pathname}${search}`.replace(/\/$/, '') : title;
}
