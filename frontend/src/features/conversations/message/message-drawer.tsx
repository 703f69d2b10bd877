import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/CloseButton.css';
import { Modal, UnstyledButton } from '@mantine/core';
import { ArrowLeft, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import type { MessageMenuProps } from '../state/message-actions.ts';
import { SeesNoImages } from '../files/sees-no-images.tsx';
import { useEntries, useOthers } from './use-entries.ts';
import classes from './message-menu.module.css';

/** Shows the entries of a message's menu at the bottom of a narrow screen. */
export function DrawerEntries(props: DrawerProps) {
  return (
    <LateTexts part="entries">
      <Drawer {...props} />
    </LateTexts>
  );
}

type DrawerProps = MessageMenuProps & { onClose: () => void };

function Drawer({ onClose, ...props }: DrawerProps) {
  const { t } = useText();
  const [showsOthers, setShowsOthers] = useState(false);
  const { message, versions } = props;
  const place = { place: (versions?.indexOf(message.id) ?? 0) + 1, count: versions?.length ?? 1, role: message.role };
  const title = t(
    {
      id: 'entries.message.drawer',
      defaultMessage:
        '{role, select, person {Question} other {Answer}}{count, plural, one {} other {, version {place} of {count}}}',
    },
    place,
  );
  return (
    <Modal
      opened
      onClose={onClose}
      size="100%"
      padding={0}
      classNames={{ inner: classes.place ?? '', content: classes.drawer ?? '', header: classes.drawerHead ?? '' }}
      title={<span className={classes.drawerTitle}>{title}</span>}
      closeButtonProps={{ 'aria-label': t({ id: 'entries.message.close', defaultMessage: 'Close' }) }}
    >
      {showsOthers ? (
        <OtherRows {...props} onBack={() => setShowsOthers(false)} onDone={onClose} />
      ) : (
        <EntryRows {...props} onOthers={() => setShowsOthers(true)} onDone={onClose} />
      )}
    </Modal>
  );
}

function EntryRows({ onOthers, onDone, ...props }: MessageMenuProps & { onOthers: () => void; onDone: () => void }) {
  const groups = useEntries(props);
  return groups.flat().map(({ key, icon, label, note, off, opensOthers, onClick }) => (
    <Row
      key={key}
      icon={icon}
      label={label}
      note={off?.title ?? note}
      isOff={off != null}
      onClick={() => {
        onClick();
        if (opensOthers) onOthers();
        else onDone();
      }}
    />
  ));
}

function OtherRows({ onBack, onDone, ...props }: MessageMenuProps & { onBack: () => void; onDone: () => void }) {
  const { t } = useText();
  const { groups, note } = useOthers(props);
  return (
    <>
      <Row icon={ArrowLeft} label={t({ id: 'entries.message.back', defaultMessage: 'Back' })} onClick={onBack} />
      {groups.map(({ title, entries }) => (
        <section key={title} aria-label={title}>
          <p className={`p-meta ${classes.rowTitle}`}>{title}</p>
          {entries.map(({ key, icon, label, aside, ofImages, onClick }) => (
            <Row
              key={key}
              icon={icon}
              label={
                <>
                  <bdi>{label}</bdi>
                  <SeesNoImages model={ofImages} />
                </>
              }
              note={aside}
              onClick={() => {
                onClick();
                onDone();
              }}
            />
          ))}
        </section>
      ))}
      <p className={`p-meta ${classes.rowTitle}`}>{note}</p>
    </>
  );
}

type RowProps = { icon: LucideIcon; label: ReactNode; note?: ReactNode; isOff?: boolean; onClick: () => void };

function Row({ icon: Icon, label, note, isOff = false, onClick }: RowProps) {
  return (
    <UnstyledButton className={classes.row} disabled={isOff} onClick={onClick}>
      <Icon size={18} />
      <span>
        {label}
        {note ? <span className={`p-meta ${classes.rowNote}`}>{note}</span> : null}
      </span>
    </UnstyledButton>
  );
}
