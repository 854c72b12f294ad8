/** The entries of a menu. */
import type { Component } from 'svelte';
import type { Action } from '../../lib/keys/bindings';

/** Names the items below it. */
export type MenuHeading = { readonly heading: string };

export type MenuItem =
  | 'line'
  | {
      readonly label: string;
      readonly run: () => void;
      readonly icon?: Component;
      readonly action?: Action;
      readonly disabled?: boolean;
      /** One of several options: drawn with a check mark and announced as selected or not. */
      readonly chosen?: boolean;
    };
