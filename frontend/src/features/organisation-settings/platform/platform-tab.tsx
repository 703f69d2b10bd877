import { useTab } from '../../../lib/tab-organisation.tsx';
import { usePlatformOrganisation } from './use-platform-organisation.ts';
import { ConsoleFrame } from '../parts/console-frame.tsx';
import { PlatformContent } from './platform-content.tsx';
import { SuspendButton } from './suspend-button.tsx';

/** The platform's view of an organisation that one belongs to, beside its own tabs. */
export function PlatformTab() {
  const query = usePlatformOrganisation(useTab().organisation.id);
  return (
    <ConsoleFrame actions={query.data ? <SuspendButton organisation={query.data} /> : null}>
      <PlatformContent query={query} />
    </ConsoleFrame>
  );
}
