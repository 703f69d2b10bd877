import { Fragment } from 'react';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { Menu } from '../../../ui/menu-part.ts';
import type { MessageMenuProps } from '../state/message-actions.ts';
import { SeesNoImages } from '../files/sees-no-images.tsx';
import { useEntries, useOthers, type Entry } from './use-entries.ts';
import classes from './message-menu.module.css';

/** Shows the entries of a message's menu. */
export function MenuEntries(props: MessageMenuProps) {
  return (
    <LateTexts part="entries">
      <Entries {...props} />
    </LateTexts>
  );
}

function Entries(props: MessageMenuProps) {
  const groups = useEntries(props);
  return groups.map((group, index) => (
    <Fragment key={group[0]?.key}>
      {index > 0 ? <Menu.Divider /> : null}
      {group.map((entry) =>
        entry.opensOthers ? (
          <Menu.Sub key={entry.key} position="right-start">
            <Menu.Sub.Target>
              <Menu.Sub.Item {...partsOf(entry)}>{entry.label}</Menu.Sub.Item>
            </Menu.Sub.Target>
            <Menu.Sub.Dropdown className={classes.others}>
              <Others {...props} />
            </Menu.Sub.Dropdown>
          </Menu.Sub>
        ) : (
          <Menu.Item key={entry.key} onClick={entry.onClick} {...partsOf(entry)}>
            {entry.label}
          </Menu.Item>
        ),
      )}
    </Fragment>
  ));
}

const partsOf = ({ icon: Icon, off }: Entry) => ({ leftSection: <Icon />, ...off });

/** Lists other chatbots and models that could answer. */
function Others(props: MessageMenuProps) {
  const { groups, note } = useOthers(props);
  return (
    <>
      {groups.map(({ title, entries }) => (
        <Fragment key={title}>
          <Menu.Label>{title}</Menu.Label>
          {entries.map(({ key, icon: Icon, label, aside, ofImages, onClick }) => (
            <Menu.Item
              key={key}
              leftSection={<Icon />}
              rightSection={aside ? <span className="p-meta">{aside}</span> : null}
              onClick={onClick}
            >
              <bdi>{label}</bdi>
              <SeesNoImages model={ofImages} />
            </Menu.Item>
          ))}
        </Fragment>
      ))}
      <Menu.Divider />
      <Menu.Label>{note}</Menu.Label>
    </>
  );
}
