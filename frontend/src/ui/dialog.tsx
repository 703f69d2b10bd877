import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/CloseButton.css';
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';

/** For at most three fields; what explains or is longer stands in a panel. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <Modal
      opened
      onClose={onClose}
      size="26rem"
      withCloseButton={false}
      padding="lg"
      title={<span className="p-h2">{title}</span>}
    >
      {children}
    </Modal>
  );
}
