import type { Menu } from '@mantine/core';
import { createContext, useContext } from 'react';

type ShellParts = { readonly Menu: typeof Menu };

const context = createContext<ShellParts | null>(null);

/** The shell lends its pages what it has loaded for itself. */
export const ShellPartsProvider = context.Provider;

/**
 * Mantine's menu, for pages that come later than the shell: `<shell.Menu>`. A page that imported it would have the
 * bundler cut the shell's file into many, which costs every first load 2 kB.
 */
export function useShellParts(): ShellParts {
  const given = useContext(context);
  if (!given) throw new Error('useShellParts outside of the signed-in part');
  return given;
}
