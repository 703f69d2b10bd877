import type { Menu } from '@mantine/core';
import { createContext, useContext } from 'react';

const context = createContext<typeof Menu | null>(null);

/** The shell gives its pages the menu that it has loaded for itself. */
export const MenuProvider = context.Provider;

/**
 * Mantine's menu, for pages that come later than the shell. A page that imported it would have the bundler cut the
 * shell's file into many, which costs every first load 2 kB.
 */
export function useMenu(): typeof Menu {
  const given = useContext(context);
  if (!given) throw new Error('useMenu outside of the signed-in part');
  return given;
}
