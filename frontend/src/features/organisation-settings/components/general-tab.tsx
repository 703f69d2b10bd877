import { useTab } from '../../../lib/tab-organisation.tsx';
import { ConsoleFrame } from './console-frame.tsx';
import { NameField } from './name-field.tsx';

/** What the organisation is called. */
export function GeneralTab() {
  const { organisation } = useTab();
  return (
    <ConsoleFrame>
      <NameField key={organisation.id} />
    </ConsoleFrame>
  );
}
