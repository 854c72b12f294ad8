/** A menu and its entries. */
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
      /** Address of an image that is shown before the label. */
      readonly image?: string | null;
      readonly action?: Action;
      readonly disabled?: boolean;
      /** One of several options: drawn with a check mark and announced as selected or not. */
      readonly chosen?: boolean;
    };

/** An anchor that is a point of the window. */
export type Point = { getBoundingClientRect: () => DOMRect };

export type MenuProps = {
  label: string;
  items: readonly (MenuItem | MenuHeading)[];
  open?: boolean;
  anchor?: HTMLElement | Point | null;
  /** Returns the element that gets the focus back, if it is another one than had it before. */
  home?: () => HTMLElement | null | undefined;
  /** Returns the row that the menu is about, which is highlighted; `home` by default. */
  row?: () => HTMLElement | null | undefined;
  align?: 'start' | 'end';
};
