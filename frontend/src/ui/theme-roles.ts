/** Colours by role, one set per scheme; they become the CSS variables `--p-…`. Parts of the interface use roles only. */
export type Roles = typeof lightRoles;

export const lightRoles = {
  canvas: '#eff3f3', sheet: '#ffffff', raised: '#ffffff', sunken: '#f6f8f8', hover: '#edf1f1', selected: '#dff0f2',
  line: '#e0e6e6', lineStrong: '#7f8b8d', text: '#131b1c', text2: '#4b5556', text3: '#5f6a6b',
  accent: '#00636c', accentFill: '#00636c', accentHover: '#004f56', onAccent: '#ffffff', aiSoft: '#e3f3f5', aiLine: '#b9e4e9',
  personSoft: '#f7f2ec', personLine: '#eadfd2', person: '#7d5127',
  success: '#00702f', successSoft: '#e3f5e6', warning: '#825200', warningSoft: '#fbeed9', warningFill: '#b97a12',
  danger: '#a8302f', dangerSoft: '#fff0ee', dangerFill: '#a8302f', onDanger: '#ffffff', info: '#275ca8', infoSoft: '#e6f1ff',
  live: '#0e8c41', mark: '#fde9b8', skeleton: '#e0e6e6', organisation: '#131b1c', onOrganisation: '#ffffff',
  toast: '#131b1c', onToast: '#ffffff', shadow: '0 8px 28px rgb(12 30 32 / 14%), 0 0 0 1px rgb(12 30 32 / 8%)',
};

export const darkRoles: Roles = {
  canvas: '#0a1011', sheet: '#12191b', raised: '#1b2426', sunken: '#0d1415', hover: '#1c2628', selected: '#0f3439',
  line: '#263133', lineStrong: '#667376', text: '#e5e9ea', text2: '#b4bdbf', text3: '#8f9a9c',
  accent: '#6cc5cf', accentFill: '#3fa9b4', accentHover: '#5dbbc6', onAccent: '#04171a', aiSoft: '#0f2c30', aiLine: '#1d4c52',
  personSoft: '#242019', personLine: '#39322a', person: '#d8ab82',
  success: '#69c27e', successSoft: '#13291a', warning: '#e0ab5c', warningSoft: '#2d2212', warningFill: '#e0ab5c',
  danger: '#f08d85', dangerSoft: '#34191a', dangerFill: '#f08d85', onDanger: '#2a0a08', info: '#85b5fb', infoSoft: '#152741',
  live: '#4cc37a', mark: '#4a3a10', skeleton: '#263133', organisation: '#e5e9ea', onOrganisation: '#131b1c',
  toast: '#e5e9ea', onToast: '#131b1c', shadow: '0 8px 28px rgb(0 0 0 / 45%), 0 0 0 1px rgb(255 255 255 / 8%)',
};
