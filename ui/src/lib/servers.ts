/** Facts about feed reader servers that forms need. */

/** Whether an address, with or without a scheme, is of Inoreader, which wants the keys of an app. */
export function isInoreader(address: string): boolean {
  const entered = address.trim();
  try {
    const { hostname } = new URL(entered.includes('://') ? entered : `https://${entered}`);
    return /(^|\.)inoreader\.com$/.test(hostname);
  } catch {
    return false;
  }
}
