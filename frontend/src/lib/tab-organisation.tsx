import type { Me, Organisation, Permission } from '@parley/contracts';
import { allows } from '@parley/contracts/permissions';
import { createContext, useContext } from 'react';

/** The organisation belongs to the tab: its id is in every query key, request and in the socket's handshake. */
export type TabOrganisation = {
  me: Me;
  organisation: Organisation;
  organisations: readonly Organisation[];
  switchTo: (organisation: Organisation) => void;
};

const context = createContext<TabOrganisation | null>(null);
export const TabOrganisationProvider = context.Provider;

export function useTab(): TabOrganisation {
  const tab = useContext(context);
  if (!tab) throw new Error('useTab outside of the signed-in part');
  return tab;
}

export function useRight(permission: Permission): boolean {
  const { me, organisation } = useTab();
  return allows({ userId: me.id, permissions: organisation.permissions }, permission);
}
