export function keysModule(catalogue: Readonly<Record<string, string | { readonly other: string }>>): string;
