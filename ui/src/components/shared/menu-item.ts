import type { Component } from 'svelte';
import type { Action } from '../../lib/keys/bindings';

export type MenuItem =
  | 'line'
  | {
      readonly label: string;
      readonly run: () => void;
      readonly icon?: Component;
      readonly action?: Action;
      readonly disabled?: boolean;
      /** A choice among several: drawn with a tick, told as chosen or not. */
      readonly chosen?: boolean;
    };
