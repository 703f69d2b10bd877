import type { Me, Organisation } from '@parley/contracts';
import type { ReactNode } from 'react';

export type InvitationPageProps = {
  token: string;
  me: Me | null;
  /** The form of a new account; what it makes joins by itself. */
  form: (offer: { email: string | null; submit: string }) => ReactNode;
  signInPath: string;
  forgotPath: string;
  onJoined: (organisation: Organisation) => void;
  onOpen: (orgId: Organisation['id'] | null) => void;
  onSwitch: () => void;
};
