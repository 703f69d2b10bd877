import type { ReactNode } from 'react';
import { isProblem } from '../lib/http.ts';
import { useTab } from '../lib/tab-organisation.tsx';
import type { FormFailure } from '../lib/use-server-form.ts';
import { AllowAddress } from './allow-address.tsx';
import { FormFailureNote } from './form-failure.tsx';
import { InSight } from './in-sight.tsx';

type Props = {
  failure: FormFailure | null;
  /** The URL that the form would have Parley call. */
  url: string;
  /** Sends the form again. */
  onAllowed: () => void;
  children?: ReactNode;
};

/** Shows why the server refused a form with a URL; a platform admin can allow a private address here. */
export function AddressFailureNote({ failure, url, onAllowed, children }: Props) {
  const isPlatformAdmin = useTab().me.platformRole === 'admin';
  if (!isPlatformAdmin || !isProblem(failure?.error, 'platform.address-not-allowed'))
    return <FormFailureNote failure={failure}>{children}</FormFailureNote>;
  return (
    <InSight>
      <AllowAddress url={url} onAllowed={onAllowed} />
    </InSight>
  );
}
