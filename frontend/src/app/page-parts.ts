import type { SignedInPage } from '@parley/contracts/pages';

/**
 * The component of each feature with pages behind the sign-in, in a part of the program of its own. A page of the table
 * without a component does not compile, nor does a component without a page.
 */
export const pageParts = {
  conversations: async () => (await import('../features/conversations/conversations-page.tsx')).ConversationsPage,
  organisations: async () => (await import('../features/organisations/organisations-page.tsx')).OrganisationsPage,
  'organisation-settings': async () =>
    (await import('../features/organisation-settings/organisation-settings-page.tsx')).OrganisationSettingsPage,
  documents: async () => (await import('../features/documents/documents-page.tsx')).DocumentsPage,
} satisfies Record<SignedInPage['feature'], () => Promise<unknown>>;
