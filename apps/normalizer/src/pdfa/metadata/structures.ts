/** A structured type: the namespace of its fields, and their types in the words of the specification; null for any. */
export interface Structure {
  readonly namespace: string
  readonly fields: Readonly<Record<string, string | null>>
}

export type Structures = Readonly<Record<string, Structure>>

const exif = 'http://ns.adobe.com/exif/1.0/'
const dynamicMedia = 'http://ns.adobe.com/xmp/1.0/DynamicMedia/'

/** The structured types of the XMP Specification of January 2004. Every field may be left out. */
export const structures2004: Structures = {
  CFAPattern: {
    namespace: exif,
    fields: { Columns: 'Integer', Rows: 'Integer', Values: 'seq Integer' },
  },
  DeviceSettings: {
    namespace: exif,
    fields: { Columns: 'Integer', Rows: 'Integer', Settings: 'seq Text' },
  },
  Dimensions: {
    namespace: 'http://ns.adobe.com/xap/1.0/sType/Dimensions#',
    fields: { h: 'Real', unit: 'open Choice of Text', w: 'Real' },
  },
  Flash: {
    namespace: exif,
    fields: {
      Fired: 'Boolean',
      Function: 'Boolean',
      Mode: 'closed Choice',
      RedEyeMode: 'Boolean',
      Return: 'closed Choice',
    },
  },
  Job: {
    namespace: 'http://ns.adobe.com/xap/1.0/sType/Job#',
    fields: { id: 'Text', name: 'Text', url: 'URL' },
  },
  'OECF/SFR': {
    namespace: exif,
    fields: { Columns: 'Integer', Names: 'seq Text', Rows: 'Integer', Values: 'seq Rational' },
  },
  ResourceEvent: {
    namespace: 'http://ns.adobe.com/xap/1.0/sType/ResourceEvent#',
    fields: {
      action: 'open Choice of Text',
      instanceID: 'URI',
      parameters: 'Text',
      softwareAgent: 'AgentName',
      when: 'Date',
    },
  },
  ResourceRef: {
    namespace: 'http://ns.adobe.com/xap/1.0/sType/ResourceRef#',
    fields: {
      documentID: 'URI',
      instanceID: 'URI',
      manager: 'AgentName',
      managerVariant: 'Text',
      manageTo: 'URI',
      manageUI: 'URI',
      renditionClass: 'RenditionClass',
      renditionParams: 'Text',
      versionID: 'Text',
    },
  },
  Thumbnail: {
    namespace: 'http://ns.adobe.com/xap/1.0/g/img/',
    fields: { format: 'closed Choice', height: 'Integer', image: 'Text', width: 'Integer' },
  },
  Version: {
    namespace: 'http://ns.adobe.com/xap/1.0/sType/Version#',
    fields: {
      comments: 'Text',
      event: 'ResourceEvent',
      modifyDate: 'Date',
      modifier: 'ProperName',
      version: 'Text',
    },
  },
}

/** The structured types of the XMP Specification of September 2005. */
export const structures2005: Structures = {
  ...structures2004,
  beatSpliceStretch: {
    namespace: dynamicMedia,
    fields: {
      riseInDecibel: 'Real',
      riseInTimeDuration: 'Time',
      useFileBeatsMarker: 'Boolean',
    },
  },
  Colorant: {
    namespace: 'http://ns.adobe.com/xap/1.0/g/',
    fields: {
      A: 'Integer',
      B: 'Integer',
      black: 'Real',
      blue: 'Integer',
      cyan: 'Real',
      green: 'Integer',
      L: 'Real',
      magenta: 'Real',
      mode: 'closed Choice of Text',
      red: 'Integer',
      swatchName: 'Text',
      type: 'closed Choice of Text',
      yellow: 'Real',
    },
  },
  Font: {
    namespace: 'http://ns.adobe.com/xap/1.0/sType/Font#',
    fields: {
      childFontFiles: 'seq Text',
      composite: 'Boolean',
      fontFace: 'Text',
      fontFamily: 'Text',
      fontFileName: 'Text',
      fontName: 'Text',
      fontType: 'open Choice of Text',
      versionString: 'Text',
    },
  },
  Marker: {
    namespace: dynamicMedia,
    fields: {
      comment: 'Text',
      // Time in this edition, a count of frames in the next: both are met with, and validators take either.
      duration: null,
      location: 'URI',
      name: 'Text',
      startTime: null,
      target: 'Text',
      type: 'open Choice of Text',
    },
  },
  Media: {
    namespace: dynamicMedia,
    fields: {
      duration: 'Time',
      managed: 'Boolean',
      path: 'URI',
      startTime: 'Time',
      track: 'Text',
      webStatement: 'URI',
    },
  },
  ProjectLink: {
    namespace: dynamicMedia,
    fields: { path: 'URI', type: 'closed Choice of Text' },
  },
  resampleStretch: {
    namespace: dynamicMedia,
    fields: { quality: 'closed Choice of Text' },
  },
  Time: {
    namespace: dynamicMedia,
    fields: { scale: 'Rational', value: 'Integer' },
  },
  Timecode: {
    namespace: dynamicMedia,
    fields: { timeFormat: 'closed Choice of Text', timeValue: 'Text' },
  },
  timeScaleStretch: {
    namespace: dynamicMedia,
    fields: {
      frameOverlappingPercentage: 'Real',
      frameSize: 'Real',
      quality: 'closed Choice of Text',
    },
  },
}
