import type { SignedInPage } from '@parley/contracts/pages';
import {
  Activity,
  Bot,
  Bug,
  Building2,
  CreditCard,
  Database,
  Eye,
  MessageSquareWarning,
  KeyRound,
  Network,
  Server,
  Settings,
  SquarePen,
  UserRound,
  Users,
  type LucideIcon,
} from 'lucide-react';
import { defineMessages, type MessageDescriptor } from 'react-intl';

type SignedInFeature = {
  /** How it is called in the sidebar, in the search, on the page of a wrong address and without the right. */
  readonly name: MessageDescriptor;
  readonly icon: LucideIcon;
  /** The component of its pages, in a part of the program of its own. */
  readonly part: () => Promise<() => unknown>;
};

const names = defineMessages({
  conversations: { id: 'shell.entry.newChat', defaultMessage: 'New chat' },
  organisations: { id: 'shell.entry.organisations', defaultMessage: 'Your organisations' },
  own: { id: 'shell.entry.own', defaultMessage: 'Profile and security' },
  settings: { id: 'shell.entry.organisation', defaultMessage: 'Organisation settings' },
  active: { id: 'shell.entry.activeUsers', defaultMessage: 'Active users' },
  monitoring: { id: 'shell.entry.monitoring', defaultMessage: 'Monitoring' },
  people: { id: 'shell.entry.userMonitoring', defaultMessage: 'User monitoring' },
  permissions: { id: 'shell.entry.permissions', defaultMessage: 'Permissions' },
  studio: { id: 'shell.entry.aiStudio', defaultMessage: 'AI Studio' },
  documents: { id: 'shell.entry.dataConnections', defaultMessage: 'Data connections' },
  feedback: { id: 'shell.entry.feedback', defaultMessage: 'Feedback' },
  billing: { id: 'shell.entry.billing', defaultMessage: 'Billing' },
  installation: { id: 'shell.entry.installation', defaultMessage: 'Installation' },
  health: { id: 'shell.entry.serviceHealth', defaultMessage: 'Service health' },
  errorTest: { id: 'shell.entry.errorTest', defaultMessage: 'Error test' },
});

/** Each feature with pages behind the sign-in. A page of the table whose feature is missing here does not compile. */
export const signedInFeatures = {
  conversations: {
    name: names.conversations,
    icon: SquarePen,
    part: async () => (await import('../features/conversations/conversations-page.tsx')).ConversationsPage,
  },
  settings: {
    name: names.own,
    icon: UserRound,
    part: async () => (await import('../features/settings/settings-page.tsx')).SettingsPage,
  },
  organisations: {
    name: names.organisations,
    icon: Building2,
    part: async () => (await import('../features/organisations/organisations-page.tsx')).OrganisationsPage,
  },
  'organisation-settings': {
    name: names.settings,
    icon: Settings,
    part: async () =>
      (await import('../features/organisation-settings/organisation-settings-page.tsx')).OrganisationSettingsPage,
  },
  'active-users': {
    name: names.active,
    icon: Users,
    part: async () => (await import('../features/active-users/active-users-page.tsx')).ActiveUsersPage,
  },
  'org-monitoring': {
    name: names.monitoring,
    icon: Activity,
    part: async () => (await import('../features/org-monitoring/org-monitoring-page.tsx')).OrgMonitoringPage,
  },
  'user-monitoring': {
    name: names.people,
    icon: Eye,
    part: async () => (await import('../features/user-monitoring/user-monitoring-page.tsx')).UserMonitoringPage,
  },
  permissions: {
    name: names.permissions,
    icon: KeyRound,
    part: async () => (await import('../features/permissions/permissions-page.tsx')).PermissionsPage,
  },
  'ai-studio': {
    name: names.studio,
    icon: Bot,
    part: async () => (await import('../features/ai-studio/ai-studio-page.tsx')).AiStudioPage,
  },
  documents: {
    name: names.documents,
    icon: Database,
    part: async () => (await import('../features/documents/documents-page.tsx')).DocumentsPage,
  },
  feedback: {
    name: names.feedback,
    icon: MessageSquareWarning,
    part: async () => (await import('../features/feedback/feedback-page.tsx')).FeedbackPage,
  },
  billing: {
    name: names.billing,
    icon: CreditCard,
    part: async () => (await import('../features/billing/billing-page.tsx')).BillingPage,
  },
  'billing-success': {
    name: names.billing,
    icon: CreditCard,
    part: async () => (await import('../features/billing-success/billing-success-page.tsx')).BillingSuccessPage,
  },
  'service-health': {
    name: names.health,
    icon: Network,
    part: async () => (await import('../features/service-health/service-health-page.tsx')).ServiceHealthPage,
  },
  installation: {
    name: names.installation,
    icon: Server,
    part: async () => (await import('../features/installation/installation-page.tsx')).InstallationPage,
  },
  'error-test': {
    name: names.errorTest,
    icon: Bug,
    part: async () => (await import('../features/error-test/error-test-page.tsx')).ErrorTestPage,
  },
  'page-failure': {
    name: names.errorTest,
    icon: Bug,
    part: async () => (await import('../features/page-failure/page-failure-page.tsx')).PageFailurePage,
  },
} satisfies Record<SignedInPage['feature'], SignedInFeature>;
