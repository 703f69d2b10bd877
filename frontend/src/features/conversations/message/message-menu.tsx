import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useText } from '../../../lib/text.ts';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { MessageMenuProps } from '../state/message-actions.ts';

const MenuEntries = lazyPart(async () => (await import('./message-entries.tsx')).MenuEntries);
const DrawerEntries = lazyPart(async () => (await import('./message-drawer.tsx')).DrawerEntries);

/** Shows the menu of all actions on a message; on a narrow screen at the bottom, in reach of a thumb. */
export function MessageMenu(props: MessageMenuProps) {
  const { t } = useText();
  const isNarrow = useMediaQuery('(max-width: 699px)');
  const [isOpen, setOpen] = useState(false);
  const label = t({ id: 'chat.message.menu', defaultMessage: 'More' });
  if (isNarrow)
    return (
      <>
        <IconButton
          icon={Ellipsis}
          label={label}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(true)}
        />
        {isOpen ? <DrawerEntries {...props} onClose={() => setOpen(false)} /> : null}
      </>
    );
  return (
    <Menu position="bottom-start" width={264} returnFocus>
      <Menu.Target>
        <IconButton icon={Ellipsis} label={label} />
      </Menu.Target>
      <Menu.Dropdown>
        <MenuEntries {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}
