import type { Feature } from '@parley/contracts/pages';

/**
 * The component of each feature in the page table, in a part of the program of its own. A feature without a component
 * does not compile, nor does a component without a page.
 */
export const pageParts = {
  'sign-in': async () => (await import('../features/sign-in/sign-in-page.tsx')).SignInPage,
  register: async () => (await import('../features/register/register-page.tsx')).RegisterPage,
  conversations: async () => (await import('../features/conversations/conversations-page.tsx')).ConversationsPage,
  organisations: async () => (await import('../features/organisations/organisations-page.tsx')).OrganisationsPage,
  'organisation-settings': async () =>
    (await import('../features/organisation-settings/organisation-settings-page.tsx')).OrganisationSettingsPage,
  documents: async () => (await import('../features/documents/documents-page.tsx')).DocumentsPage,
} satisfies Record<Feature, () => Promise<unknown>>;
