/** Whether a press in a list takes the focus from its field: that is no leaving. */
export const isChoosing = (): boolean => document.querySelector('[role="listbox"]:active') !== null
