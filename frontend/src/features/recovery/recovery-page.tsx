import { ForgotPassword } from './forgot-password.tsx';
import { ResetPassword } from './reset-password.tsx';

type Props = {
  /** What the link carries, empty where it carries nothing; null on the page that asks for one. */
  token: string | null;
  forgotPath: string;
  signInPath: string;
  onOpen: () => void;
};

/** The way back to an account: asking for a link, and what the link leads to. */
export function RecoveryPage({ token, forgotPath, signInPath, onOpen }: Props) {
  return token === null ? (
    <ForgotPassword signInPath={signInPath} />
  ) : (
    <ResetPassword key={token} token={token} forgotPath={forgotPath} signInPath={signInPath} onOpen={onOpen} />
  );
}
